/** The shipped hook for HTCondor, started by it. */
@NullMarked
package dev.rollcall.lab.htcondor;

import org.jspecify.annotations.NullMarked;
