/** What a login waits for: PAM's account phase with ours, with Slurm's module, and with neither. */
@NullMarked
package dev.rollcall.load.login;

import org.jspecify.annotations.NullMarked;
