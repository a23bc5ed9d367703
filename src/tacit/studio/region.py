"""Region: a part of a page that can be drawn again while somebody works in it.

What a region shows is built anew from the workspace, but a browser sees only what became different. An element that
means the same as before takes over the number by which the browser knows the one before it. So a click or a text that
is still on its way reaches the element that took its place, a button between the press and the release of a mouse
stays where it is, and what was typed but not sent yet, the focus, and how far something was scrolled are kept.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from nicegui import binding

from tacit.studio.elements import box


class Region:
    """A part of a page that can be drawn again."""

    def __init__(self, build: Callable[[], None], tag: str = "div", classes: str = "", **attributes: str) -> None:
        self.box, self._build = box(tag, classes, **attributes), build
        self.draw()

    @property
    def gone(self) -> bool:
        """Whether the page does not show it any more."""
        return bool(self.box.is_deleted)

    def draw(self) -> None:
        """Draw it, or draw it again; if that fails, what was there before stays."""
        if self.gone:
            return
        slot, outbox = self.box.default_slot, self.box.client.outbox
        before, slot.children = slot.children, []
        pending = self.box.id in outbox.updates
        try:
            with self.box:
                self._build()
        except BaseException:
            self.box.client.remove_elements(self.box.descendants())
            slot.children = before
            raise
        ids = [child.id for child in before]
        _succeed(self.box, before)
        if not pending and ids == [child.id for child in slot.children]:
            outbox.updates.pop(self.box.id, None)


def _succeed(parent: Any, before: list[Any]) -> None:
    """Let the children of an element take over from those before them; those without a successor go."""
    pairs = list(_pairs(before, parent.default_slot.children))
    followed = {id(old) for old, _ in pairs}
    for old in before:
        if id(old) not in followed:
            old.client.remove_elements(old.descendants(include_self=True))
    for old, new in pairs:
        _take_over(old, new)


def _pairs(before: list[Any], after: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Find for each new element the one before that it follows: first by all controls inside, then by its own kind."""
    left = list(after)
    waiting = list(before)
    for named in (_with_controls, _kind):
        known: dict[Hashable, deque[Any]] = defaultdict(deque)
        for old in waiting:
            known[named(old)].append(old)
        rest = []
        for new in left:
            same = known[named(new)]
            if same:
                yield same.popleft(), new
            else:
                rest.append(new)
        left, waiting = rest, [old for olds in known.values() for old in olds]


def _kind(element: Any) -> Hashable:
    """Say what an element is. What somebody can act on is the same only if it means and shows the same as before."""
    listens = tuple((each.type, each.js_handler) for each in element._event_listeners.values())
    unknown = id(element) if listens else None  # nobody can say whether it means the same: it is a new one
    means = (getattr(element, "means", unknown), getattr(element, "shows", None))
    # A component with a method of its own to take changes, such as the grid, stays only if nothing changed.
    options = repr(element.props) if element._update_method else ""
    return (type(element), element.tag, element.props.get("id"), listens, means, options)


def _with_controls(element: Any) -> Hashable:
    inside = tuple(_kind(each) for each in element.descendants() if each._event_listeners)
    return (_kind(element), inside)


def _take_over(old: Any, new: Any) -> None:
    """Give a new element the number of an old one, which a browser knows, and tell the browser only what differs."""
    client, outbox = old.client, old.client.outbox
    told = old._to_dict()
    children = list(old.default_slot.children)
    client.elements.pop(new.id, None)
    outbox.updates.pop(new.id, None)
    new.id = old.id
    client.elements[new.id] = new
    listeners = list(zip(old._event_listeners.values(), new._event_listeners.values(), strict=True))
    for was, listener in listeners:
        listener.id, listener.element_id = was.id, new.id
    new._event_listeners = {listener.id: listener for _, listener in listeners}
    _succeed(new, children)
    binding.remove([old])
    old._handle_delete()
    old._deleted = True
    if old.id in outbox.updates or new._to_dict() != told:
        outbox.enqueue_update(new)
