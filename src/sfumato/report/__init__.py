"""Evidence in words and plots: an HTML report in two editions, and a summary for the terminal."""

from sfumato.report.page import render, save, write
from sfumato.report.terminal import summary

__all__ = ["render", "save", "summary", "write"]
