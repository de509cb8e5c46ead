/** Tests of native jobs. Those tagged {@code root} use cgroups of their own on this machine. */
@NullMarked
package dev.rollcall.jobs;

import org.jspecify.annotations.NullMarked;
