"""The formats that every verb shares."""

from filon.run.export.database import write_parquet, write_sqlite
from filon.run.export.folder import write_files
from filon.run.export.format import Export
from filon.run.export.text import write_csv, write_json, write_jsonl
from filon.run.export.wacz import write_wacz
from filon.run.export.warc import write_warc

CSV = Export(write_csv, ".csv")
JSON = Export(write_json, ".json")
JSONL = Export(write_jsonl, ".jsonl")
PARQUET = Export(write_parquet, ".parquet")
SQLITE = Export(write_sqlite, ".sqlite")
FILES = Export(write_files, "-files", kind="files")
WARC = Export(write_warc, ".warc.gz", kind="answers")
WACZ = Export(write_wacz, ".wacz", kind="answers")
