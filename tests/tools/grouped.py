#!/usr/bin/python3
"""Groups lines "SUBJECT => OUTCOME" of stdin by outcome: prints each outcome once, with its subjects below it.

Outcomes come in the order of their first line; lines without " => " are headings and begin a new set of groups.
"""
import sys


def show(groups):
    for outcome, subjects in groups.items():
        print(outcome)
        for subject in dict.fromkeys(subjects):
            print("    " + subject.rstrip())
    groups.clear()


def main():
    groups = {}
    for line in sys.stdin:
        subject, arrow, outcome = line.rstrip().partition(" => ")
        if arrow:
            groups.setdefault(outcome, []).append(subject)
        else:
            show(groups)
            print(subject)
    show(groups)


main()
