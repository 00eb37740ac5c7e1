"""What went wrong at DynamoDB, in the store's terms."""

from typing import Final

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    CredentialRetrievalError,
    EndpointConnectionError,
    NoCredentialsError,
)
from pynamodb.exceptions import PynamoDBException, TransactWriteError

from infra.items import Action, conflicts
from infra.store import Busy, Conflict, StoreError, TooLarge, Unknown

_NOT_SENT: Final = (ConnectTimeoutError, CredentialRetrievalError, EndpointConnectionError, NoCredentialsError)
_BUSY: Final = frozenset(
    (
        "LimitExceededException",
        "ProvisionedThroughputExceeded",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ThrottlingError",
        "ThrottlingException",
        "TransactionConflict",
        "TransactionConflictException",
    )
)
_LARGE: Final = frozenset(("ValidationException", "ValidationError", "ItemCollectionSizeLimitExceeded"))


def failed_read(error: PynamoDBException) -> StoreError | None:
    """What to raise for a read; Busy if asking again may help, None if the request itself was wrong."""
    cause = error.cause
    if isinstance(cause, ClientError) and not _lost(cause) and _code(cause) not in _BUSY:
        return None
    return Busy(str(cause))


def failed_commit(error: PynamoDBException, actions: list[Action], sent: list[Action]) -> StoreError | None:
    """What to raise for a commit of these actions, sent in this order; None if it could never be committed."""
    cause = error.cause
    if isinstance(cause, ClientError):
        if isinstance(error, TransactWriteError) and _code(cause) == "TransactionCanceledException":
            return _cancelled([reason.code if reason else "" for reason in error.cancellation_reasons], actions, sent)
        return Unknown(str(cause)) if _lost(cause) else _refused(_code(cause), cause, actions)
    if isinstance(cause, _NOT_SENT):
        return Busy(str(cause))
    return Unknown(str(cause)) if isinstance(cause, BotoCoreError) else None


def _refused(code: str, cause: ClientError, actions: list[Action]) -> StoreError | None:
    if code == "ConditionalCheckFailedException":
        return Conflict(actions[0].kind.name)
    if code in _BUSY:
        return Busy(code)
    return TooLarge(str(cause)) if code in _LARGE else None


def _cancelled(codes: list[str], actions: list[Action], sent: list[Action]) -> StoreError | None:
    """A condition that failed says more than that others were at the same items, so it comes first."""
    failed = {id(action) for action, code in zip(sent, codes, strict=True) if code == "ConditionalCheckFailed"}
    if failed:
        return Conflict(*conflicts(actions, lambda action: id(action) in failed))
    wrong = [code for code in codes if code and code != "None"]
    if any(code in _LARGE for code in wrong):
        return TooLarge(", ".join(wrong))
    return Busy(", ".join(wrong)) if any(code in _BUSY for code in wrong) else None


def _lost(cause: ClientError) -> bool:
    """Whether the server failed, so that what it did is not known."""
    original = cause.__cause__ if isinstance(cause.__cause__, ClientError) else cause  # PynamoDB's copy has no status
    status = original.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return status >= 500 or _code(cause) in (
        "InternalServerError",
        "ServiceUnavailable",
        "TransactionInProgressException",
    )


def _code(cause: ClientError) -> str:
    return cause.response.get("Error", {}).get("Code", "")
