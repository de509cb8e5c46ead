/**
 * Holds the one stream to a gateway: tells the node's state, announces its calls, asks and answers.
 */
@NullMarked
package dev.rollcall.agent.gateway;

import org.jspecify.annotations.NullMarked;
