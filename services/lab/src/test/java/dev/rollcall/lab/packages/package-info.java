/** The .deb and .rpm packages, and the list of what they consist of. */
@NullMarked
package dev.rollcall.lab.packages;

import org.jspecify.annotations.NullMarked;
