"""The installation on AWS: DynamoDB, SQS and SES, as `template.yaml` sets them up."""
