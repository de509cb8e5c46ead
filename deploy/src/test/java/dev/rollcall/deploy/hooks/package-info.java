/** The hooks for batch systems other than Slurm, called as these document it. */
@NullMarked
package dev.rollcall.deploy.hooks;

import org.jspecify.annotations.NullMarked;
