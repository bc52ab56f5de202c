"""Makes a report: a folder of pages that a browser opens from disk. All data of the report comes from the
log."""
