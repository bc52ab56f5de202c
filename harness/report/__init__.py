"""Makes a report from the log alone: a folder of pages that a browser opens from disk."""
