/* Checks the prefix of a command; CI systems accept either case and leading blanks. */
#include "graph/base/log_command.h"

bool log_command_at(const char *s)
{
    return s[0] == '#' && s[1] == '#' && (s[2] == '[' || strncasecmp(s + 2, "vso[", 4) == 0);
}

bool log_command_begins(const char *s)
{
    s += strspn(s, " \t\v\f\r");
    return s[0] == ':' && s[1] == ':';
}
