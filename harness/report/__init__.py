"""The report: a folder of pages that a browser opens from disk, made from the log alone."""
