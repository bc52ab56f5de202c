"""Makes a report: a folder of pages that a browser opens from disk. Its data comes from the log, and from the
forks and diagnoses that other commands kept beside the log."""
