"""What every test needs: the compiled catalogues, and AWS clients that reach for nothing outside."""

import os

from infra import build

pytest_plugins = ("tests.support.moderating",)

os.environ.update(
    AWS_EC2_METADATA_DISABLED="true",
    AWS_ACCESS_KEY_ID="test",
    AWS_SECRET_ACCESS_KEY="test",
    AWS_DEFAULT_REGION="eu-west-3",
)
build.catalogues()
