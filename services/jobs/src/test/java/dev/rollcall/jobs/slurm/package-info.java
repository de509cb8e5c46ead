@NullMarked
package dev.rollcall.jobs.slurm;

import org.jspecify.annotations.NullMarked;
