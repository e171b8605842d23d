/* Reads the keys of findings and of their savings, including those of older results. */
#include "advisor/report/tree_finding.h"

#include "advisor/report/result_json.h"

const cJSON *tree_finding_next(const cJSON *result, const cJSON *last)
{
    const cJSON *observations = json_at(result, "observations");
    if (last && last->next)
        return last->next;
    if (!last && json_count(result, "recommendations"))
        return json_at(result, "recommendations")->child;
    return (last && tree_finding_is_observation(last)) || !observations ? NULL
                                                                        : observations->child;
}

bool tree_finding_is_observation(const cJSON *finding)
{
    return json_at(finding, "rank") == NULL;
}

bool tree_finding_has_action(const cJSON *finding)
{
    return *json_text(finding, "fix.text", "") != '\0';
}

PhraseId tree_gain_phrase(const cJSON *gain)
{
    ResultBasis basis = result_word(result_basis_words, json_text(gain, "basis", ""));
    if (cJSON_IsTrue(json_at(gain, "at_least")))
        return PHRASE_GAIN_AT_LEAST;
    return basis == RESULT_BASIS_BOUND      ? PHRASE_GAIN_AT_MOST
           : basis == RESULT_BASIS_STAND_IN ? PHRASE_GAIN_ESTIMATED
                                            : PHRASE_GAIN_PREDICTED;
}

const cJSON *tree_gain_verified(const cJSON *gain)
{
    const cJSON *v = json_at(gain, "verified"), *now = json_at(v, "now");
    return cJSON_IsObject(now) ? now : cJSON_IsObject(v) ? v : NULL;
}

bool tree_gain_middle(const cJSON *interval, double *ret)
{
    return json_number(interval, "mid", ret) || json_number(interval, "median", ret);
}
