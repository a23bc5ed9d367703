"""What the command line prints of each job: one file per command, beside the job whose result it reads.

Aligned columns of plain text, no colour needed. What several commands print is in `tacit.report.terminal`.
"""
