"""What CloudFormation makes of a SAM template: `transform.py TEMPLATE CODE`, run where the SAM translator is."""

import json
import sys
from pathlib import Path

from samtranslator.translator.transform import transform  # type: ignore[import-not-found]
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-not-found]


class _NoManagedPolicies:
    def load(self) -> dict[str, str]:
        return {}


if __name__ == "__main__":
    template = yaml_parse(Path(sys.argv[1]).read_text("utf-8"))
    template["Globals"]["Function"]["CodeUri"] = sys.argv[2]
    print(json.dumps(transform(template, {}, _NoManagedPolicies())))
