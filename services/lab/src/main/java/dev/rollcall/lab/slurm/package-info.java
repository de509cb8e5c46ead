/**
 * Debian's Slurm on the nodes of the test cluster: controller, database and accounting on gate, a
 * slurmd on each compute node, all of it real and none of it the machine's own.
 */
@NullMarked
package dev.rollcall.lab.slurm;

import org.jspecify.annotations.NullMarked;
