/**
 * Reads the settings of the jobs' own directories and namespaces, and of the scripts around them.
 * Read from {@code job_container.conf} or {@code namespace.yaml}, as a site has them for Slurm.
 */
@NullMarked
package dev.rollcall.settings.container;

import org.jspecify.annotations.NullMarked;
