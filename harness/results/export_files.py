"""Writes the tables of an export into a folder, row by row, as Parquet or CSV files.

A file has another name until all files are complete. So nobody takes a part of an export for the whole.
"""

from __future__ import annotations

import csv
import importlib.util
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from harness.errors import InputError, RecordError
from harness.escape import in_csv
from harness.record.frames import SHARDS
from harness.results.export_columns import TABLES, ExportColumn
from harness.results.export_rows import ExportRow, Placed

LIBRARY = "pyarrow"
"""The name of the library for Parquet on the Python Package Index."""
BATCH = 20_000
"""The rows of a table that are in memory before they are written."""
_UNFINISHED = ".unfinished"


def can_write_parquet() -> bool:
    """Whether the library for Parquet is installed."""
    return importlib.util.find_spec(LIBRARY) is not None


def new_folder(out: Path, logs: Path) -> Path:
    """Makes the folder of an export, which may be there if it is empty. Raises InputError if it is not."""
    inside = out.resolve()
    if inside.is_relative_to(logs.resolve()):
        first = inside.relative_to(logs.resolve()).parts[:1]
        if first and first[0].startswith(("run-", SHARDS)):
            raise InputError("this folder belongs to the record; name another one", str(out))
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise InputError("this folder is not empty; name a new one", str(out))
    except (FileExistsError, NotADirectoryError):
        raise InputError("not a folder: a file of this name exists", str(out)) from None
    return out


def export(
    rows: Iterable[Placed],
    out: Path,
    *,
    as_csv: bool,
    only: Collection[str] = (),
    on_progress: Callable[[int], object] = lambda matches: None,
) -> Mapping[Path, int]:
    """Writes these tables, or those in `only`, into an empty folder. Returns each file with its rows.

    If it fails, the folder is empty again. `on_progress` gets the number of matches so far.
    """
    kind = "csv" if as_csv else "parquet"
    tables = [table for table in TABLES if table in only or not only]
    paths = {table: out / f"{table}.{kind}" for table in tables}
    unfinished = {table: path.with_name(path.name + _UNFINISHED) for table, path in paths.items()}
    counts = dict.fromkeys(tables, 0)
    matches = 0
    try:
        with ExitStack() as stack:
            make: type[_TableFile] = _CsvFile if as_csv else _ParquetFile
            files = {table: stack.enter_context(make(unfinished[table], TABLES[table])) for table in tables}
            for table, row in rows:
                if table in files:
                    files[table].add(row)
                    counts[table] += 1
                if table == "matches":
                    matches += 1
                    on_progress(matches)
    except BaseException:
        for path in unfinished.values():
            path.unlink(missing_ok=True)
        raise
    for table, path in paths.items():
        unfinished[table].replace(path)
    return {paths[table]: counts[table] for table in tables}


class _TableFile(Protocol):
    def __init__(self, path: Path, columns: tuple[ExportColumn, ...]) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, row: ExportRow) -> None: ...


class _CsvFile:
    """A table as CSV: the same rows give the same bytes."""

    def __init__(self, path: Path, columns: tuple[ExportColumn, ...]) -> None:
        self._file = path.open("x", encoding="utf-8", newline="")
        self._write = csv.writer(self._file, lineterminator="\n").writerow
        self._texts = [place for place, column in enumerate(columns) if column.type == "text"]
        self._flags = [place for place, column in enumerate(columns) if column.type == "bool"]
        self._write([column.name for column in columns])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, row: ExportRow) -> None:
        cells = list(row)
        for place in self._texts:
            if cells[place] is not None:
                cells[place] = in_csv(str(cells[place]))
        for place in self._flags:
            cells[place] = "true" if cells[place] else "false"
        self._write(cells)


class _ParquetFile:
    """A table as Parquet, in batches of rows."""

    def __init__(self, path: Path, columns: tuple[ExportColumn, ...]) -> None:
        import pyarrow
        from pyarrow import parquet

        types = {
            "text": pyarrow.string(),
            "int": pyarrow.int64(),
            "float": pyarrow.float64(),
            "bool": pyarrow.bool_(),
        }
        self._arrow: Any = pyarrow
        self._schema = pyarrow.schema(
            [
                pyarrow.field(column.name, types[column.type], metadata={"meaning": column.meaning})
                for column in columns
            ]
        )
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[ExportRow] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._writer:
            if error is None:
                self._flush()

    def add(self, row: ExportRow) -> None:
        self._rows.append(row)
        if len(self._rows) == BATCH:
            self._flush()

    def _flush(self) -> None:
        if not self._rows:
            return
        columns = zip(*self._rows, strict=True)
        try:
            arrays = [
                self._arrow.array(column, type=field.type)
                for column, field in zip(columns, self._schema, strict=True)
            ]
        except (OverflowError, self._arrow.ArrowInvalid) as error:
            raise RecordError(f"a value does not fit into its column: {error}") from None
        self._rows.clear()
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
