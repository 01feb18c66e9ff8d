"""The chapters' references are compared by nbval, with tolerance for the last digits of numbers."""

from nbval.plugin import IPyNbCell, IPyNbFile

from edition.reference import SKIPPED, PrintedText

_init, _sanitize = IPyNbFile.__init__, IPyNbCell.sanitize


def _init_skipping(self, *args, **kwargs):
    _init(self, *args, **kwargs)
    self.skip_compare += SKIPPED


def _sanitize_to_printed_text(self, text):
    text = _sanitize(self, text)
    return PrintedText(text) if isinstance(text, str) else text


IPyNbFile.__init__ = _init_skipping
IPyNbCell.sanitize = _sanitize_to_printed_text
