"""Following people: the buckets of a release of a table that changes, made from the signatures of earlier ones."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
import polars as pl
from numpy.random import Generator
from pydantic import Field

from tacit.arrays import Flags, Ints, offsets_of, places_of
from tacit.errors import Infeasible, LedgerConflict, RoleError
from tacit.guarantees import MInvariance
from tacit.methods.linkage.mondrian import MondrianStatistics
from tacit.methods.marginals.buckets import draw, near_rows
from tacit.methods.marginals.changing import NOBODY, Places, Stream, surplus
from tacit.methods.marginals.cuts import shown_rows
from tacit.methods.marginals.filling import SPARED, fill
from tacit.methods.marginals.value_orders import ValueOrders
from tacit.progress import Progress, silent
from tacit.randomness import permutation
from tacit.releases import KnownPeople, Signatures
from tacit.table import Groups, Histogram, as_text

CounterfeitsAllowed = Literal["publish", "newcomers"] | Annotated[float, Field(strict=True, ge=0, le=1)]


@dataclass(frozen=True, eq=False)
class FollowedPeople:
    """The signature of everybody in a release, and the rows of nobody that its buckets need.

    Attributes
    ----------
    signature
        Per person the number of her signature.
    signatures
        All signatures, with those that are new.
    nobody_signature, nobody_value
        Of every counterfeit its signature, and its value as a code of `signatures.texts`.
    like
        A person beside whom the counterfeit is put to begin with.
    value
        Per person her value as such a code.
    """

    signature: Ints
    signatures: Signatures
    value: Ints
    nobody_signature: Ints
    nobody_value: Ints
    like: Ints


def follow(
    statistics: MondrianStatistics,
    known: KnownPeople,
    guarantee: MInvariance,
    allowed: CounterfeitsAllowed,
    secret: Generator,
    progress: Progress = silent,
    changing: Collection[str] = (),
    shared: bool = False,
) -> FollowedPeople:
    """Give everybody who was published before the signature that she had, and everybody else one for ever.

    Whoever has another value now begins a new episode, with a new signature, if all values of the old one and the new
    value are among those that come and go, `changing`. If `shared`, newcomers get few signatures with many people each.
    """
    ((column, codes),) = statistics.sensitive.items()
    signatures, code = known.signatures.with_texts(as_text(codes.values).to_list())
    stream = Stream(
        value=code[codes.codes],
        signature=known.signature.copy(),
        rank=_ranks(statistics, secret),
        offsets=signatures.offsets,
        values=signatures.values,
        width=len(signatures.texts),
    )
    again = _begin_again(stream, signatures, column, changing)
    if again.any():
        stream, signatures = _with_made_up_sets(stream, signatures, again, guarantee.m, changing)
    shown = shown_rows(statistics.attributes, statistics.cells.members.ids)
    stream = fill(stream, guarantee.m, shown, SPARED if isinstance(allowed, str) else min(SPARED, allowed))
    apart = _set_apart(stream, guarantee, allowed, column, signatures.texts, secret)
    rest = (stream.signature == NOBODY) & ~apart
    if rest.any():
        orders = ValueOrders.of(statistics.attributes, stream.value, stream.width)
        bucket = draw(statistics, guarantee, secret, progress, rest, orders, shared)
        stream, signatures = _with_sets(stream, signatures, rest, bucket)
    if apart.any():
        stream, signatures = _with_made_up_sets(stream, signatures, apart, guarantee.m)
    lacking = Places.of(stream)
    _check_share(stream, lacking, allowed, column, signatures.texts, guarantee)
    return FollowedPeople(
        stream.signature,
        signatures,
        stream.value,
        stream.owner[lacking.entry],
        stream.values[lacking.entry],
        lacking.like,
    )


def typed(texts: Sequence[str], codes: Ints, values: pl.Series) -> pl.Series:
    """Return values of a column by codes of `texts`; a value that nobody has any more is read from its text."""
    at = {text: place for place, text in enumerate(as_text(values).to_list())}
    used = np.unique(codes)
    gone = [texts[code] for code in used.tolist() if texts[code] not in at]
    try:
        known = pl.concat([values, pl.Series(gone, dtype=pl.String).cast(values.dtype).alias(values.name)])
    except pl.exceptions.PolarsError:
        raise RoleError(
            f"Column {values.name!r} holds {values.dtype} values, and {gone[0]!r} of an earlier release is none.",
            hint="Read the column as it was read before.",
        ) from None
    at |= {text: len(values) + place for place, text in enumerate(gone)}
    place = np.array([at[texts[code]] for code in used.tolist()], dtype=np.int64)
    return known.gather(place[np.searchsorted(used, codes)])


def _ranks(statistics: MondrianStatistics, secret: Generator) -> Ints:
    """Order people so that similar ones are near each other; which of equal ones comes first is drawn."""
    from tacit.kernels.counting_order import counted_order

    count = len(statistics.cells.members.ids)
    near = near_rows(statistics, Groups.whole(count))
    order = permutation(secret, count)
    order, _ = counted_order(near.ids, near.count, order)
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    return rank


def _begin_again(stream: Stream, signatures: Signatures, column: str, changing: Collection[str]) -> Flags:
    """Return who begins a new episode; refuse a value that is not in somebody's signature and does not come and go.

    If the old signature had a value that stays for life, then a new one would prove that she did not have it. So all
    values of the old one must come and go; those of the new one are chosen among them too.
    """
    comes_and_goes = np.array([text in changing for text in signatures.texts], dtype=bool)
    every = np.ones(signatures.count, dtype=bool)
    np.logical_and.at(every, stream.owner, comes_and_goes[stream.values] if len(stream.values) else True)
    changed = stream.changed()
    again = np.zeros(len(stream.value), dtype=bool)
    allowed = comes_and_goes[stream.value[changed]] & every[stream.signature[changed]]
    again[changed[allowed]] = True
    refused = int((~allowed).sum())
    if refused:
        who = "1 person has" if refused == 1 else f"{refused:,} people have"
        raise LedgerConflict(
            f"{who} a value of {column!r} now that is not among those she could have had in earlier releases.",
            hint=f"What was published of {column!r} must stay true: publish the value that she had before, or give a "
            "column that does not change; values that come and go may be declared in [changing], if all of her earlier "
            "signature do. Leaving her out would tell too.",
        )
    return again


def _set_apart(
    stream: Stream,
    guarantee: MInvariance,
    allowed: CounterfeitsAllowed,
    column: str,
    texts: Sequence[str],
    secret: Generator,
) -> Flags:
    """Choose the newcomers who must stand beside counterfeits alone; none where the newcomers are m-eligible."""
    new = np.flatnonzero(stream.signature == NOBODY)
    count = np.bincount(stream.value[new], minlength=stream.width)
    many, top = surplus(count, guarantee.m), int(np.argmax(count))
    apart = np.zeros(len(stream.value), dtype=bool)
    if not many.any():
        return apart
    if allowed != "newcomers":
        raise Infeasible(
            f"{guarantee} cannot be met for the newcomers: {texts[top]!r} of column {column!r} is in "
            f"{int(count[top]):,} of the {len(new):,} new people who need a signature, more than 1/{guarantee.m}.",
            hint="Use a smaller m in a new ledger, or say counterfeits = 'newcomers': then whoever stands in a group "
            "of counterfeits is known to be new and to have a frequent value.",
        )
    new = new[permutation(secret, len(new))]
    new = new[np.argsort(stream.value[new], kind="stable")]
    apart[new[places_of(offsets_of(count)[:-1], many)]] = True
    return apart


def _with_sets(stream: Stream, signatures: Signatures, rest: Flags, bucket: Ints) -> tuple[Stream, Signatures]:
    """Give the newcomers the values of their buckets as signatures."""
    drawn = Histogram.of(np.where(rest, bucket, -1), int(bucket.max()) + 1, stream.value, stream.width)
    signatures, number = signatures.with_sets(drawn.offsets, drawn.values, signatures.texts)
    signature = stream.signature.copy()
    signature[rest] = number[bucket[rest]]
    return _recoded(stream, signature, signatures), signatures


def _with_made_up_sets(
    stream: Stream, signatures: Signatures, apart: Flags, m: int, among: Collection[str] | None = None
) -> tuple[Stream, Signatures]:
    """Give those who stand apart signatures: their own value, and the most frequent other ones, of all or of some."""
    frequent = np.argsort(-np.bincount(stream.value, minlength=stream.width), kind="stable")
    if among is not None:
        frequent = frequent[[signatures.texts[code] in among for code in frequent.tolist()]]
    if len(frequent) < m:
        raise Infeasible(
            f"m-invariance with m = {m} needs {m} different values, and only {len(frequent)} are known.",
            hint=f"Use m = {len(frequent)}." if len(frequent) > 1 else "The column has one value only.",
        )
    own = np.unique(stream.value[apart])
    sets = np.array([np.sort([v, *frequent[frequent != v][: m - 1]]) for v in own], dtype=np.int64)
    signatures, number = signatures.with_sets(m * np.arange(len(own) + 1), sets.ravel(), signatures.texts)
    signature = stream.signature.copy()
    signature[apart] = number[np.searchsorted(own, stream.value[apart])]
    return _recoded(stream, signature, signatures), signatures


def _recoded(stream: Stream, signature: Ints, signatures: Signatures) -> Stream:
    return replace(stream, signature=signature, offsets=signatures.offsets, values=signatures.values)


def _check_share(
    stream: Stream,
    lacking: Places,
    allowed: CounterfeitsAllowed,
    column: str,
    texts: Sequence[str],
    guarantee: MInvariance,
) -> None:
    """Refuse more counterfeits than the data owner allows."""
    many, people = len(lacking.entry), len(stream.value)
    if isinstance(allowed, str) or many <= allowed * (many + people):
        return
    count = np.bincount(stream.values[lacking.entry], minlength=stream.width)
    top = int(np.argmax(count))
    raise Infeasible(
        f"{guarantee} needs {many:,} counterfeits beside {people:,} people, more than the allowed share of "
        f"{allowed:g}; {int(count[top]):,} of them for {texts[top]!r} of column {column!r}.",
        hint=f"Allow {many / (many + people):.4f}, or use a smaller m in a new ledger.",
    )
