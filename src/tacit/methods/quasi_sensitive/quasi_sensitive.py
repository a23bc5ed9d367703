"""QuasiSensitive: generalization of quasi-identifiers, then suppression of items (Shi, Xiong and Fung 2010)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from tacit.arrays import Flags
from tacit.errors import Infeasible
from tacit.guarantees import GroupGuarantee, Guarantee, KAnonymity, QSCloseness, QSDiversity, QSGuarantee
from tacit.guarantees.quasi_sensitive.diversity import KNOWN
from tacit.guarantees.registry import DESCRIBED
from tacit.knowledge.quasi_sensitive import ExactBelief, Linking, Prior, prior_from, removal_cost
from tacit.methods.base import Job, Method, Outcome, Scales, suppressed_cells
from tacit.methods.quasi_sensitive.budget import Budget, Clock, Evaluations
from tacit.methods.quasi_sensitive.generalizing import Generalization, generalize
from tacit.methods.quasi_sensitive.suppressing import Suppression, suppress
from tacit.methods.quasi_sensitive.withholding import withhold_with
from tacit.randomness import permutation
from tacit.shapes import Generalized
from tacit.table import ItemSets, Table


@dataclass(frozen=True, eq=False)
class LinkedGroups:
    """Groups of rows with blurred quasi-identifiers, the labels that their items link to, and the prior, if any."""

    attribute: str
    generalization: Generalization
    linking: Linking
    prior: Prior | None


@dataclass(frozen=True, eq=False)
class Removal:
    """What the search found, the items that are left in every row, and the groups that are withheld."""

    suppression: Suppression
    sets: ItemSets
    withheld: Flags

    def plain(self) -> dict[str, Any]:
        """Return it as arrays and numbers, for a ledger."""
        sets = {"offsets": self.sets.offsets, "codes": self.sets.codes, "withheld": self.withheld}
        return {**sets, **{f"search {name}": value for name, value in vars(self.suppression).items()}}

    @classmethod
    def again(cls, linked: LinkedGroups, kept: Mapping[str, Any]) -> Removal:
        """Take what an earlier release of the same table removed."""
        search = {name.removeprefix("search "): part for name, part in kept.items() if name.startswith("search ")}
        sets = replace(linked.linking.sets, offsets=kept["offsets"], codes=kept["codes"])
        return cls(Suppression(**search), sets, kept["withheld"])


class QuasiSensitive(Method):
    """Publish sets of harmless items so that no hidden label can be read from them.

    First the quasi-identifiers are blurred into groups of k rows. Then, in every group that breaks the guarantee, items
    are removed from rows until it holds. A depth-first search over removal patterns chooses the items; at every node it
    tries the removal first that helps most for its cost. Its first answer is the greedy one, and it looks for a cheaper
    one until the tree is done or the time is up. Removed items leave no mark.

    A group that cannot be brought within t of the prior is withheld, and further groups with it, until the withheld
    rows, read as one more group, are within t themselves. For QS diversity nobody is ever withheld.

    Against
    -------
    Somebody who knows every quasi-identifier of a person and that she is in the table, has a table that says which
    items go with which label, and takes every label that fits a row for equally likely.

    Promise
    -------
    The guarantee given, in every published group and among the withheld: docs/threats/quasi_sensitive.md#why-it-holds.
    Nothing is promised against somebody who reasons about the method itself:
    docs/threats/quasi_sensitive.md#what-it-does-not-promise.

    Parameters
    ----------
    guarantee
        `QSDiversity` or `QSCloseness`, with the label table it is about.
    k
        The least number of rows of a group; 1 leaves the quasi-identifiers as they are.
    time_bound
        Seconds for the search, all groups together. With a seed it is a number of evaluations instead.
    search
        "adaptive" (all items that may still be removed are tried at every node, and the best comes first) or "plain"
        (they are taken as they come, the paper's baseline).

    Cost
    ----
    O(n log n) for the grouping of n rows; then one evaluation takes O(w e / 64 + e) for a row of w items and e labels,
    and there are as many as `time_bound` allows.

    Examples
    --------
    >>> import tacit as tc
    >>> knowledge = {"flu": ["cough", "headache"], "hepatitis B": ["dark urine", "headache"]}
    >>> table = tc.Table({"age": [30, 30], "symptoms": [["cough", "headache"]] * 2}, quasi_identifiers="age",
    ...                  items="symptoms")
    >>> method = QuasiSensitive(guarantee=tc.QSDiversity(c=1, l=2, knowledge=knowledge))
    >>> method.protect(table).frames()["table"]["symptoms"].to_list()
    [['headache'], ['headache']]

    References
    ----------
    Shi, Xiong and Fung, "Anonymizing data with quasi-sensitive attribute values", CIKM 2010.
    """

    scales: ClassVar[Scales | None] = "fragments"

    guarantee: Annotated[QSGuarantee, DESCRIBED, Field(description="qs-diversity or qs-closeness")]
    k: Annotated[int, Field(strict=True, ge=1, description="the least number of rows of a group")] = 1
    time_bound: Annotated[float, Field(gt=0, le=1e6, description="seconds for the search, all groups together")] = 10
    search: Literal["adaptive", "plain"] = Field("adaptive", description='"adaptive" or "plain" (the baseline)')

    @property
    def of_fragments(self) -> tuple[GroupGuarantee, ...]:
        """A fragment can be blurred into groups of k rows if it has so many."""
        return (KAnonymity(k=self.k),)

    def run(self, table: Table, job: Job) -> Outcome:
        """Blur and link the rows, choose items to remove and groups to withhold, and publish what is left."""
        linked = self.statistics(table, job.planned)
        job.progress(self.name, 0.1)
        earlier = job.recall(self.key, table)
        if earlier is None:
            removal = self.plan(
                linked, self._budget(job), progress=lambda share: job.progress(self.name, 0.1 + 0.8 * share)
            )
        else:  # a repetition removes what was removed before: two searches together show more items than one
            removal = Removal.again(linked, earlier)
        job.remember(self.key, table, permanent=False, **removal.plain())
        return self.apply(table, linked, removal, job)

    def statistics(self, table: Table, believed: ExactBelief | None = None) -> LinkedGroups:
        """Blur the quasi-identifiers, and link the items of every row to labels.

        `believed` is what is believed of all rows, where the table is a fragment of them.
        """
        attribute = self.guarantee.attribute(table)
        self.guarantee.require_match(attribute, table.item_sets(attribute).vocabulary)
        generalization = generalize(table, self.k)
        linking = self.guarantee.linking(table, generalization.groups)
        prior = self.guarantee.believed(table) if believed is None else prior_from(believed)
        return LinkedGroups(attribute, generalization, linking, prior)

    def plan(
        self,
        linked: LinkedGroups,
        budget: Callable[[], Budget],
        progress: Callable[[float], None] = lambda share: None,
    ) -> Removal:
        """Choose the items that are removed from the groups that break the guarantee, and the groups to withhold."""
        linking, prior = linked.linking, linked.prior
        held, _ = self.guarantee.judge(linking, prior)
        obstacle = self.guarantee.obstacle()
        if obstacle is not None and not held.all():
            raise obstacle
        suppression = suppress(
            linking,
            np.flatnonzero(~held),
            self.guarantee.rule(prior),
            budget,
            adaptive=self.search == "adaptive",
            progress=progress,
        )
        sets, failed = self._verified(linking, prior, suppression)
        withheld = failed if prior is None else withhold_with(self.guarantee, linking, prior, failed)
        self._check(linking, prior, ~withheld[linking.groups.ids])
        return Removal(suppression, sets, withheld)

    def apply(self, table: Table, linked: LinkedGroups, removal: Removal, job: Job) -> Outcome:
        """Number the groups at random, and publish the rows that are left with the items that are left."""
        attribute, groups, sets = linked.attribute, linked.linking.groups, removal.sets
        kept = ~removal.withheld[groups.ids]
        shuffle = job.randomness.shuffle()
        numbers = permutation(shuffle, groups.count)
        order = permutation(shuffle, int(kept.sum()))
        fewer = kept & (np.diff(linked.linking.sets.offsets) > np.diff(sets.offsets))
        blurs = linked.generalization.blurs
        return Outcome(
            publish=lambda: Generalized.publish(table, kept, order, blurs, {attribute: sets}),
            kept=kept,
            group=np.where(kept, numbers[groups.ids], -1),
            guarantees=self._claims(),
            cells=suppressed_cells(table, {attribute: fewer}),
            onward=lambda: table.with_items(attribute, sets).filter(kept),
            warnings=self._warnings(table),
            remarks=tuple(self._remarks(attribute, linked.linking, removal.suppression, sets, kept)),
        )

    def _budget(self, job: Job) -> Callable[[], Budget]:
        def make() -> Budget:
            return Evaluations(self.time_bound) if job.randomness.reproducible else Clock(self.time_bound)

        return make

    def _claims(self) -> tuple[Guarantee, ...]:
        return (self.guarantee, KAnonymity(k=self.k)) if self.k > 1 else (self.guarantee,)

    def _verified(self, linking: Linking, prior: Prior | None, suppression: Suppression) -> tuple[ItemSets, Flags]:
        """Let the guarantee, which is exact, judge the answers of the search; return the sets and the groups that fail.

        The search computes with rounded numbers and accepts what misses the bound by no more than rounding explains.
        Where that happened, all items of the group are removed, which diversity always accepts.
        """
        removed = suppression.removed.copy()
        for _ in range(2):
            sets = linking.sets.without(removed)
            held, _ = self.guarantee.judge(Linking.of(linking.labels, sets, linking.groups), prior)
            if held.all() or prior is not None:
                break
            removed |= np.repeat(~held[linking.groups.ids], np.diff(linking.sets.offsets))
        return sets, ~held

    def _check(self, linking: Linking, prior: Prior | None, kept: Flags) -> None:
        """Refuse to publish nothing."""
        if kept.any():
            return
        hint = "Ask for less."
        if isinstance(self.guarantee, QSCloseness) and prior is not None:
            farthest = self.guarantee.measure(linking, prior)
            if farthest is not None:
                hint = f"Without removing anything t = {np.ceil(farthest * 1000) / 1000:.3f} works"
                hint += "; a larger k makes groups more alike."
        raise Infeasible(
            f"{self.guarantee} would withhold every row: no group can be published while the others are withheld.",
            hint=hint,
        )

    def _warnings(self, table: Table) -> tuple[str, ...]:
        if not table.sensitive:
            return ()
        names = ", ".join(repr(name) for name in table.sensitive)
        return (f"{names} is published as it is: {self.guarantee.name} is about the items only",)

    def _remarks(
        self, attribute: str, linking: Linking, suppression: Suppression, sets: ItemSets, kept: Flags
    ) -> Iterator[str]:
        before = np.diff(linking.sets.offsets)
        after = np.diff(sets.offsets)
        total, gone = int(before[kept].sum()), int(before[kept].sum() - after[kept].sum())
        broken = len(suppression.groups)
        yield (
            f"{attribute}: {broken:,} of {linking.groups.count:,} groups broke {self.guarantee}; items removed: "
            f"{gone:,} of {total:,}, at a cost of {removal_cost(before[kept], after[kept]):.4f}."
        )
        if broken:
            solved = int((suppression.proved & suppression.answered).sum())
            hurried = int(suppression.hurried.sum())
            rest = int(suppression.answered.sum()) - solved - hurried
            yield (
                f"Groups solved to optimality: {solved:,}; as well as the budget allowed: {rest:,}; by emptying whole "
                f"rows because the time was up: {hurried:,}. Removals tried: {suppression.evaluations:,}."
            )
        unanswered = int((~suppression.answered).sum())
        if unanswered:
            proved = int((~suppression.answered & suppression.proved).sum())
            yield (
                f"Groups that could not be brought within t: {unanswered:,}, provably {proved:,}. With others that "
                f"cover them, {int((~kept).sum()):,} rows are withheld."
            )
        silent = int((linking.sizes == 0).sum())
        if silent:
            unknown = int((~linking.labels.knows(linking.sets.vocabulary)).sum())
            yield (
                f"Rows that linked to no label before anything was removed: {silent:,} of {len(linking.sets):,}; items "
                f"that are not in the label table: {unknown:,} of {len(linking.sets.vocabulary):,}."
            )

    @classmethod
    def examples(cls) -> Sequence[Method]:
        """Return usual parameters; a short bound, for they are run often."""
        return [
            cls(guarantee=QSDiversity(c=1, l=2, knowledge=KNOWN), time_bound=0.02),
            cls(guarantee=QSDiversity(c=1, l=2, knowledge=KNOWN), k=3, time_bound=0.02, search="plain"),
            cls(guarantee=QSCloseness(t=0.5, knowledge=KNOWN), k=3, time_bound=0.02),
        ]
