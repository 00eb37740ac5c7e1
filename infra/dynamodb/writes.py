"""The actions of a commit as PynamoDB writes."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from pynamodb.connection import Connection
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action as Update
from pynamodb.transactions import TransactWrite

from engine.decisions import Add, Drop, Hold, Put
from infra.dynamodb.model import Item
from infra.items import Action

_SENDING_ORDER: Final[dict[type, int]] = {Hold: 0, Drop: 1, Put: 2, Add: 3}  # PynamoDB's, within a transaction


class Writes:
    """A commit's actions; `sent` has them in the order in which a transaction lists them."""

    def __init__(self, models: Mapping[str, type[Item]], versions: Callable[[], int], actions: list[Action]) -> None:
        self._models = models
        self._versions = versions
        self.sent = sorted(actions, key=lambda action: _SENDING_ORDER[type(action.change)])

    def alone(self) -> bool:
        """Write a lone Put or Add without a transaction; whether that was it."""
        if len(self.sent) > 1:
            return False
        action = self.sent[0]
        match action.change:
            case Put(was=was):
                self._filled(action).save(condition=_unchanged(was))
            case Add() as add:
                self._at(action).update(actions=_adding(action, add), condition=_above(add))
            case _:
                return False
        return True

    def together(self, connection: Connection) -> None:
        """Write all in one transaction."""
        with TransactWrite(connection=connection) as transaction:
            for action in self.sent:
                item = self._at(action)
                match action.change:
                    case Hold(was=was):
                        transaction.condition_check(type(item), item.part, item.sort, condition=_unchanged(was))
                    case Drop(was=was):
                        transaction.delete(item, condition=_unchanged(was))
                    case Put(was=was):
                        transaction.save(self._filled(action), condition=_unchanged(was))
                    case Add() as add:
                        transaction.update(item, actions=_adding(action, add), condition=_above(add))

    def _at(self, action: Action) -> Item:
        return self._models[action.kind.table](action.place.partition, action.place.sort)

    def _filled(self, action: Action) -> Item:
        item = self._at(action)
        item.ver = self._versions()
        item.body = action.body
        if action.expires is not None:
            item.expires = datetime.fromtimestamp(action.expires, UTC)
        for number, place in enumerate(action.listed):
            if place:
                setattr(item, f"part{number}", place.partition)
                setattr(item, f"sort{number}", place.sort)
        return item


def _unchanged(was: int | None) -> Condition | None:
    if was is None:
        return None
    return Item.ver == was if was else Item.part.does_not_exist()


def _adding(action: Action, add: Add) -> list[Update]:
    updates: list[Update] = [Item.num.add(add.by), Item.body.set(action.body)]
    if action.expires is not None:
        updates.append(Item.expires.set(datetime.fromtimestamp(action.expires, UTC)))
    return updates


def _above(add: Add) -> Condition | None:
    """The sum stays at the floor or above it; nothing was ever added: the sum so far is 0."""
    if add.floor is None:
        return None
    high_enough = Item.num >= add.floor - add.by
    return Item.num.does_not_exist() | high_enough if add.by >= add.floor else high_enough
