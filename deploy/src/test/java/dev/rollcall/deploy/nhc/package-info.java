/** The shipped check for Node Health Check. */
@NullMarked
package dev.rollcall.deploy.nhc;

import org.jspecify.annotations.NullMarked;
