/**
 * Jobs whose cgroups Slurm owns. Facts come from the sockets of Slurm's step daemons in
 * SlurmdSpoolDir and from reports of Prolog and Epilog. The step daemon is asked to adopt
 * processes.
 */
@NullMarked
package dev.rollcall.jobs.slurm;

import org.jspecify.annotations.NullMarked;
