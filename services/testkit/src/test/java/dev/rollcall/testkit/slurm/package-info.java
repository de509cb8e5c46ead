@NullMarked
package dev.rollcall.testkit.slurm;

import org.jspecify.annotations.NullMarked;
