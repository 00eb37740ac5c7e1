"""The store on AWS: DynamoDB, by PynamoDB."""

from infra.dynamodb.store import DynamoStore

__all__ = ["DynamoStore"]
