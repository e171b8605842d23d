#!/usr/bin/env python3
"""{{target}}: rknn-toolkit 1 converts for this chip, and advice on it is for times alone: settings of {{rules}}.

The other files of this folder hold the changed model and the settings of the runtime.
"""
import sys

sys.exit("convert.py: {{target}} needs rknn-toolkit 1, not rknn-toolkit2: convert the model with your own script")
