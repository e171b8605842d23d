/* Runs `apply MODEL --opset 13`, which converts the model and applies nothing else. */
#ifndef ADVISOR_CLI_OPSET_COMMAND_H
#define ADVISOR_CLI_OPSET_COMMAND_H

#include "advisor/options/args.h"
#include "advisor/options/command.h"
#include "advisor/advise/request.h"
#include "advisor/report/render.h"

/* STATUS_USAGE for options that choose or shape advice: they would have no effect. */
Status opset_command(Context *c, const Args *args, const AdviseRequest *q, const View *view);

#endif
