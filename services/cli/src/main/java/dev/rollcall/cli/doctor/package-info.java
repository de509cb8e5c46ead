/** Collects facts about a node, and checks them for faults. */
@NullMarked
package dev.rollcall.cli.doctor;

import org.jspecify.annotations.NullMarked;
