/** Limits of size on directories: how much a job may write into its private ones. */
@NullMarked
package dev.rollcall.linux.quota;

import org.jspecify.annotations.NullMarked;
