/**
 * Jobs whose cgroups Slurm owns. Facts come from the sockets of Slurm's step daemons in
 * SlurmdSpoolDir and from what Prolog and Epilog told; adoption is asked of the step daemon.
 */
@NullMarked
package dev.rollcall.jobs.slurm;

import org.jspecify.annotations.NullMarked;
