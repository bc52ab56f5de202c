"""Estimators and tests; knows no file and no plan."""
