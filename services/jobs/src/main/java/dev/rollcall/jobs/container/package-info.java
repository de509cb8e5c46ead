/**
 * Makes the private directories and namespaces of each job.
 *
 * <p>{@link dev.rollcall.jobs.container.JobContainers} is the way in; {@link
 * dev.rollcall.jobs.container.ContainerRules} is what a site wants.
 */
@NullMarked
package dev.rollcall.jobs.container;

import org.jspecify.annotations.NullMarked;
