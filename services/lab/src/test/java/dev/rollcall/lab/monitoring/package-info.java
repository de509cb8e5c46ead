/** A real Prometheus that scrapes real agents and gateways, and what is shipped for one. */
@NullMarked
package dev.rollcall.lab.monitoring;

import org.jspecify.annotations.NullMarked;
