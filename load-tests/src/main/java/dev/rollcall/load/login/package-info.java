/** Measures PAM's account phase with Rollcall's module, with Slurm's module, and with neither. */
@NullMarked
package dev.rollcall.load.login;

import org.jspecify.annotations.NullMarked;
