"""One live bot: its process, the questions it is asked, the time it is charged; knows no rules."""
