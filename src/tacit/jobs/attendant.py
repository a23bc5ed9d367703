"""Attendant: a process that holds something large, such as a table, and answers questions about it one at a time.

The one who asks holds only the answers. The process can be ended at any time, and so can a question that takes long.
"""

from __future__ import annotations

import inspect
import multiprocessing
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from tacit.errors import TacitError
from tacit.jobs.background import COMPILING, Failure, explained, seldom
from tacit.jobs.lean import give_back, lean_start
from tacit.progress import Progress, monotone, silent, told_of_compiling


class QuestionFailed(TacitError):
    """A question that could not be answered; `failure` says why, as the job said it."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.message, hint=failure.hint)


class Attendant:
    """A process with an object inside.

    Parameters
    ----------
    maker
        Makes the object, inside the process; a class or function of a module.

    Examples
    --------
    >>> with Attendant(dict) as attendant:
    ...     attendant.ask("update", {"age": 3}), attendant.ask("get", "age")
    (None, 3)
    """

    def __init__(self, maker: Callable[[], Any]) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, there = spawn.Pipe()
        self._asking = threading.Lock()
        self.process = spawn.Process(target=_attend, args=(there, maker), daemon=True)
        with lean_start():
            self.process.start()
        there.close()

    def ask(self, question: str, *given: Any, progress: Progress = silent, **named: Any) -> Any:
        """Call a method of the object and wait for its answer; from a thread, where nothing else may wait."""
        with self._asking:
            try:
                self._pipe.send((question, given, named))
                while True:
                    kind, *content = self._pipe.recv()
                    if kind == "stage":
                        progress(*content)
                    elif kind == "failed":
                        raise QuestionFailed(content[0])
                    else:
                        return content[0]
            except (EOFError, OSError):
                ended = "The question was not answered: the process that holds the table was ended."
                raise QuestionFailed(Failure(ended, "Open the table again.", "Ended")) from None

    def end(self) -> None:
        """End the process; a question that is being answered fails."""
        self.process.kill()
        self.process.join(3.0)

    def __enter__(self) -> Attendant:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()


def _attend(pipe: Connection, maker: Callable[[], Any]) -> None:
    """Make the object and answer until nobody asks any more; the body of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who asks, who then ends this process
    held = maker()
    while True:
        try:
            question, given, named = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            asked = getattr(held, question)
            if "progress" in _parameters(asked):
                named["progress"] = monotone(seldom(lambda *message: pipe.send(message)))
            with told_of_compiling(lambda: pipe.send(("stage", COMPILING, 0.0))):
                answer: tuple[Any, ...] = ("done", asked(*given, **named))
        except BaseException as error:
            answer = ("failed", explained(error))
        try:
            pipe.send(answer)
        except (OSError, ValueError):
            return
        del answer
        give_back()


def _parameters(asked: Callable[..., Any]) -> Any:
    try:
        return inspect.signature(asked).parameters
    except (TypeError, ValueError):  # what is built in has no signature
        return {}
