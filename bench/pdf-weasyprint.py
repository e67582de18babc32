"""Prints each line of its input, HTML as a JSON string, and answers with the size of the PDF."""
import json
import sys

from weasyprint import HTML

for line in sys.stdin:
    print(len(HTML(string=json.loads(line)).write_pdf()), flush=True)
