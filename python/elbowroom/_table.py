"""Tables of named columns."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Mapping, Optional, Union

import numpy as np

__all__ = ["Table"]


class Table:
    """Columns of one length, each a NumPy array: numbers, whole numbers, or texts.

    A number that is missing is ``nan``, a text that is missing ``None``. It is read without a copy by
    everything that knows Arrow: ``polars.DataFrame(table)``, ``pyarrow.table(table)``,
    ``duckdb.sql("from table")``.

    Examples
    --------
    >>> import elbowroom as er
    >>> table = er.Table({"frame": [3, 4], "a": ["ann", "ann"], "depth": [0.01, 0.02]})
    >>> len(table), list(table), table["depth"].max().item()
    (2, ['frame', 'a', 'depth'], 0.02)
    >>> table.row(1)
    {'frame': 4, 'a': 'ann', 'depth': 0.02}
    >>> table[table["depth"] > 0.015].row(0)["frame"]
    4
    """

    __slots__ = ("_columns", "_length")

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns: Dict[str, np.ndarray] = {}
        for name, values in columns.items():
            if isinstance(values, np.ndarray):
                self._columns[name] = values
            elif any(value is None or isinstance(value, str) for value in values):
                column = np.empty(len(values), dtype=object)
                column[:] = values
                self._columns[name] = column
            else:
                self._columns[name] = np.asarray(values, dtype=None if len(values) else object)
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns have different lengths: {sorted(lengths)}")
        self._length = lengths.pop() if lengths else 0

    def __getitem__(self, key: Any) -> Any:
        """A column by its name, or the rows that a mask, a slice or numbers select."""
        if isinstance(key, str):
            try:
                return self._columns[key]
            except KeyError:
                raise KeyError(f"{key!r}; there are {', '.join(self._columns)}") from None
        return Table({name: column[key] for name, column in self._columns.items()})

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many rows there are."""
        return self._length

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return list(self._columns)

    def keys(self) -> Any:
        """The names of the columns."""
        return self._columns.keys()

    def values(self) -> Any:
        """The columns."""
        return self._columns.values()

    def items(self) -> Any:
        """The columns with their names."""
        return self._columns.items()

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def row(self, index: int) -> Dict[str, Any]:
        """A row as a dict of plain values."""
        values = {name: column[index] for name, column in self._columns.items()}
        return {
            name: it.item() if isinstance(it, np.generic) else it for name, it in values.items()
        }

    def rows(self) -> Iterator[Dict[str, Any]]:
        """All rows, each as a dict."""
        return (self.row(index) for index in range(len(self)))

    def to_dict(self) -> Dict[str, np.ndarray]:
        """The columns by name."""
        return dict(self._columns)

    def to_pandas(self) -> Any:
        """A pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        """A polars DataFrame."""
        import polars

        return polars.DataFrame(self)

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> Any:
        from ._arrow import stream

        return stream(self._columns)

    def __repr__(self) -> str:
        return f"Table({len(self)} rows: {', '.join(self._columns)})"

    def _repr_html_(self) -> str:
        from html import escape

        def cell(value: Any) -> str:
            if value is None or value != value:
                return ""
            text = f"{value:.6g}" if isinstance(value, float) else str(value)
            return escape(text)

        # Columns in which there is nothing only take room.
        def is_empty(column: Union[np.ndarray, Any]) -> bool:
            return all(value is None or value != value for value in column[:200].tolist())

        shown = [name for name, column in self._columns.items() if not is_empty(column)]
        head = "".join(f"<th>{escape(name)}</th>" for name in shown)
        rows = (self.row(index) for index in range(min(len(self), 20)))
        body = "".join(
            "<tr>" + "".join(f"<td>{cell(row[name])}</td>" for name in shown) + "</tr>"
            for row in rows
        )
        more = f"<p>{len(self)} rows</p>" if len(self) > 20 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
