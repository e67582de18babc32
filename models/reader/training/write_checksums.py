"""Writes checksums.json for the files of the reader: python write_checksums.py [folder]"""

import hashlib
import json
import sys
from pathlib import Path

FILES = ("calibration.json", "encoder.onnx", "fields.onnx", "vocab.txt")


def main(folder: str = str(Path(__file__).parent.parent)) -> None:
    files = {}
    for name in FILES:
        content = Path(folder, name).read_bytes()
        files[name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    Path(folder, "checksums.json").write_text(json.dumps({"files": files}, indent=2) + "\n", encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])
