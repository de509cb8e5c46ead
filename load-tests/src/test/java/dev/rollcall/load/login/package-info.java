/** Tests of the measurement of logins, on a cluster with a real Slurm. */
@NullMarked
package dev.rollcall.load.login;

import org.jspecify.annotations.NullMarked;
