#include "environment.h"
#include "tap.h"

int main(void)
{
    static const char *const ALLOWED[] = {
        "SLURM_JOB_ID", "CUDA_VISIBLE_DEVICES", "TMPDIR", "_x", "x1", "LD", "OLD_X", "ld_x", "PATHS", "XPATH",
        "DISPLAY"};
    static const char *const REFUSED[] = {
        "",     "LD_PRELOAD", "LD_",      "LD_LIBRARY_PATH", "A=B",          "=", "A B", "A\n", "1A", "A-B", "\xc3\xa9",
        "PATH", "HOME",       "BASH_ENV", "GLIBC_TUNABLES",  "SSH_AUTH_SOCK"};

    for (size_t i = 0; i < sizeof ALLOWED / sizeof *ALLOWED; i++)
        tap(environment_allows(ALLOWED[i]), "a variable %s is allowed", ALLOWED[i]);
    for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
        tap(!environment_allows(REFUSED[i]), "refused variable number %zu is refused", i + 1);
    return tap_done();
}
