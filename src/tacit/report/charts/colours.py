"""Colours of charts."""

BLUE, ORANGE, GREEN, PURPLE, SKY, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#808080"
"""Okabe and Ito's palette: told apart by people with any kind of colour vision."""

PALETTE = (BLUE, ORANGE, GREEN, PURPLE, SKY, GREY)
INK, LINE = "#333333", "#dddddd"
