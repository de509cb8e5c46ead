/** Batch systems other than Slurm, each in a Debian of its own. */
@NullMarked
package dev.rollcall.lab.batch;

import org.jspecify.annotations.NullMarked;
