"""The far end of `benchmarks.foreign`: runs inside a foreign environment, takes orders, reports costs.

Started as `python -I worker.py SCRIPT` by the interpreter of that environment. An order is a line of JSON on standard
input, a reply a line of JSON. SCRIPT defines `setup(task)`, called once, and `run(state)`, called for each order; what
`run` returns is reported if it is a dictionary of figures.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from pathlib import Path
from typing import Any


def main(script: str) -> None:
    # Tools print; replies go to a copy of standard output, and what is printed goes where errors go.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    from benchmarks.measuring.cost import cost_of
    from benchmarks.measuring.memory import peak_of
    from benchmarks.measuring.reasons import reason_of

    names: dict[str, Any] = {}
    state: Any = None

    def obey(order: dict[str, Any]) -> dict[str, Any]:
        nonlocal names, state
        if order["do"] == "setup":
            names = runpy.run_path(script)
            state = names["setup"](order["task"])
            return {}
        if order["do"] == "peak":
            peak, _ = peak_of(lambda: names["run"](state))
            return {"peak": None if peak is None else [peak.bytes, peak.how]}
        cost, figures = cost_of(lambda: names["run"](state))
        return {"cpu": cost.cpu, "wall": cost.wall, "figures": figures if isinstance(figures, dict) else {}}

    for line in sys.stdin:
        try:
            reply = json.dumps(obey(json.loads(line)))
        except Exception as error:
            reply = json.dumps({"error": reason_of(error)})
        replies.write(reply + "\n")
        replies.flush()


if __name__ == "__main__":
    main(sys.argv[1])
