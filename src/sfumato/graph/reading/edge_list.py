"""Edge lists as text: CSV and TSV with quotes, and lines of two names between blanks or tabs with comments.

A list between blanks has no quotes, so its names have no blanks; a list whose first line holds a tab is split
at tabs alone. Lines that begin with ``#`` or ``%`` are comments there. A first line with nothing but a whole
number is a count of nodes. Names stay the text that they are: ``-1``, ``1.0`` and ``01`` are names too.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from sfumato.core.errors import BadInput
from sfumato.engine.sources import DELIMITERS

_WHOLE = re.compile(r"-?[0-9]+")
_COMMENT = re.compile(rb"^[ \t]*[#%].*\n?", re.MULTILINE)
_HEADERS = {
    "source",
    "from",
    "fromnodeid",
    "src",
    "node1",
    "u",
    "target",
    "to",
    "tonodeid",
    "dst",
    "node2",
    "v",
}
"""words that head the two columns of lists between blanks"""
_BLOCK = 1 << 24
_LONGEST_COUNT = 18
_LINE_END = re.compile(rb"[\r\n]+")


@dataclass(frozen=True, eq=False)
class Lines:
    """The columns of a list, as text; ``titles`` where its first line is a header."""

    columns: pa.Table = field(repr=False)
    titles: tuple[str, ...] | None = field(default=None, repr=False)
    counted: dict[str, int] = field(default_factory=dict)


def parse(text: bytes, where: str, *, quoted: bool, delimiter: str | None, header: bool | None) -> Lines:
    """Take a list apart. ``quoted`` is the way of CSV; without it, fields lie between blanks or tabs."""
    if text.startswith(b"%%MatrixMarket"):
        raise BadInput(
            "this is a Matrix Market file, which counts rows and columns in its first line",
            where=where,
            remedy="read it with scipy.io.mmread and give the matrix",
        )
    if delimiter is not None and (len(delimiter) != 1 or not delimiter.isascii() or delimiter in '\r\n"'):
        raise BadInput("a delimiter is one sign", where=where, remedy="give one such as ','")
    counted: dict[str, int] = {}
    whole = text
    if not quoted:
        text, delimiter = _one_blank(text, delimiter, counted)
    # Arrow counts empty lines when it skips a header.
    text = text.lstrip(b"\r\n")
    first = _first_line(text, where)
    delimiter = delimiter or max(DELIMITERS, key=first.count)
    heads = _fields(text, delimiter, quoted)
    if len(heads[0]) == 1 and len(heads) > 1 and len(heads[1]) > 1 and _is_count(heads[0][0].strip()):
        counted["counted"] = abs(int(heads[0][0]))
        text = _LINE_END.split(text, maxsplit=1)[1]
        heads = _fields(text, delimiter, quoted)
    if len(heads[0]) < 2:
        raise BadInput(
            "the lines have one column",
            where=where,
            remedy="give two, the ends of each edge, or the delimiter that parts them",
        )
    guessed = header is None
    header = _is_header(heads, quoted) if header is None else header
    if guessed and header:
        counted["header"] = 1
    columns = _columns(text, delimiter, quoted, header, len(heads[0]))
    if columns is None:
        raise _ragged(whole, delimiter, where, quoted)
    titles = tuple(title.removeprefix("\ufeff") for title in heads[0]) if header else None
    if titles is not None and guessed:
        _check_header(titles, columns, where)
    return Lines(columns, titles, counted)


def _one_blank(text: bytes, delimiter: str | None, counted: dict[str, int]) -> tuple[bytes, str]:
    """Drop comments and blanks around fields, so that one blank or tab parts them."""
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"#" in text or b"%" in text:
        text, counted["comments"] = _COMMENT.subn(b"", text)
    start = text.lstrip(b" \n")
    mark = delimiter or ("\t" if b"\t" in start.split(b"\n", 1)[0] else " ")
    text = start.rstrip(b" \n") + b"\n" if start.strip(b" \n") else b""
    if mark == " " and b"\t" in text:
        text = text.replace(b"\t", b" ")
    if mark == " " and b"  " in text:
        text = re.sub(rb" +", b" ", text)
    if mark != " " and (b" " + mark.encode() in text or mark.encode() + b" " in text):
        text = re.sub(rb" *" + re.escape(mark.encode()) + rb" *", mark.encode(), text)
    if b" \n" in text or b"\n " in text:
        text = re.sub(rb" *\n *", b"\n", text)
    return text, mark


def _first_line(text: bytes, where: str) -> str:
    first = text.lstrip(b"\r\n").split(b"\n", 1)[0].decode("utf-8")
    if not first.strip():
        raise BadInput("the file holds no edges", where=where, remedy="give a file with edges")
    return first


def _fields(text: bytes, delimiter: str, quoted: bool) -> list[list[str]]:
    """Take the first two lines apart."""
    start = text[: 1 << 20].decode("utf-8", errors="ignore")
    if not quoted:
        return [line.split(delimiter) for line in re.split("\n+", start, maxsplit=2)[:2] if line]
    found: list[list[str]] = []
    try:
        for record in csv.reader(io.StringIO(start, newline=""), delimiter=delimiter):
            if record:
                found.append(record)
            if len(found) == 2:
                break
    except csv.Error:
        return [[""]]
    return found or [[""]]


def _is_count(text: str) -> bool:
    return len(text) <= _LONGEST_COUNT and _WHOLE.fullmatch(text) is not None


def _is_header(heads: list[list[str]], quoted: bool) -> bool:
    """A line with a whole number as an end is an edge. Else CSV has a header, as everywhere; a list between
    blanks has one if its words are those of headers or an edge between whole numbers follows."""
    if any(_WHOLE.fullmatch(text) for text in heads[0][:2]):
        return False
    if quoted:
        return True
    words = {text.casefold() for text in heads[0][:2]}
    return words <= _HEADERS or (len(heads) > 1 and all(_WHOLE.fullmatch(text) for text in heads[1][:2]))


def _check_header(titles: tuple[str, ...], columns: pa.Table, where: str) -> None:
    """A header that is also a node is most likely an edge."""
    words = pa.array(titles[:2], pa.string())
    if any(pc.any(pc.is_in(columns.column(at), value_set=words)).as_py() for at in (0, 1)):
        raise BadInput(
            "the first line is a header or an edge: its words are also names of nodes",
            where=where,
            remedy="say header=False if it is an edge, or header=True",
        )


def _columns(text: bytes, delimiter: str, quoted: bool, header: bool, width: int) -> pa.Table | None:
    """Return the columns as text, named 1, 2, …; None if not all lines have as many."""
    names = [str(at + 1) for at in range(width)]
    if not text.strip():
        return pa.table({name: pa.array([], pa.string()) for name in names})
    try:
        return arrow_csv.read_csv(
            pa.BufferReader(text),
            read_options=arrow_csv.ReadOptions(
                column_names=names, skip_rows_after_names=int(header), block_size=_BLOCK
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted and b'"' in text,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={name: pa.string() for name in names}, strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        # Arrow's message quotes the line.
        return None


def _ragged(text: bytes, delimiter: str, where: str, quoted: bool) -> BadInput:
    """Say in which line the number of columns changes."""
    place, width, number = where, 0, 1
    if quoted:
        reader = csv.reader(io.StringIO(text.decode("utf-8"), newline=""), delimiter=delimiter)
        records = ((reader.line_num, record) for record in reader)
    else:
        lines = enumerate(re.split(r"\r\n|\r|\n", text.decode("utf-8")), 1)
        records = (
            (at, re.split(delimiter if delimiter != " " else r"[ \t]+", line.strip(" ")))
            for at, line in lines
            if line.strip() and not line.lstrip().startswith(("#", "%"))
        )
    try:
        for number, record in records:
            if not record or (width == 0 and len(record) == 1):
                continue
            width = width or len(record)
            if len(record) != width:
                place = f"{where}, line {number:,}"
                break
    except csv.Error:
        place = f"{where}, line {number + 1:,}"
    return BadInput(
        "the line has another number of columns than the first",
        where=place,
        remedy="give every line as many columns, both ends first; put names with delimiters in quotes",
    )
