"""Reads pictures with RapidOCR or Tesseract on one thread; one line of JSON for each: its text and the CPU seconds."""
import json
import os
import sys
import time

os.environ["OMP_THREAD_LIMIT"] = "1"


def rapidocr():
    import cv2
    from rapidocr import RapidOCR

    cv2.setNumThreads(1)
    threads = {"intra_op_num_threads": 1, "inter_op_num_threads": 1}
    options = {f"EngineConfig.onnxruntime.{name}": value for name, value in threads.items()}
    engine = RapidOCR(params={**options, "Global.log_level": "error"})

    def read(path, _language):
        result = engine(path)
        if result.txts is None:
            return ""
        boxes = [(box[:, 0].min(), box[:, 1].mean(), box[:, 1].max() - box[:, 1].min()) for box in result.boxes]
        rows = []
        for (x, y, height), text in sorted(zip(boxes, result.txts), key=lambda item: item[0][1]):
            row = next((row for row in rows if abs(row["y"] - y) < 0.5 * height), None)
            if row is None:
                row = {"y": y, "cells": []}
                rows.append(row)
            row["cells"].append((x, text))
        # What stands in boxes of its own is a cell: as far apart as columns are in a text that keeps them.
        return "\n".join("   ".join(text for _, text in sorted(row["cells"])) for row in rows)

    return read


def tesseract():
    import tesserocr
    from PIL import Image

    names = {"en": "eng", "es": "spa", "de": "deu", "fr": "fra", "it": "ita", "pt": "por"}
    apis = {}

    def read(path, language):
        if language not in apis:
            apis[language] = tesserocr.PyTessBaseAPI(path=sys.argv[2], lang=names[language])
            # Without this the gaps between columns are single spaces.
            apis[language].SetVariable("preserve_interword_spaces", "1")
        apis[language].SetImage(Image.open(path))
        return apis[language].GetUTF8Text()

    return read


read = {"rapidocr": rapidocr, "tesseract": tesseract}[sys.argv[1]]()
for line in sys.stdin:
    page = json.loads(line)
    before = time.process_time()
    text = read(page["path"], page["language"])
    print(json.dumps({"text": text, "cpuSeconds": time.process_time() - before}), flush=True)
